/** The Worker: HTTP in, the session's Durable Object behind it. */
import { createApp } from './http/app.ts';

export { SessionCoordinator } from './session/coordinator.ts';

export default createApp();
