/** What the system says when a server cannot listen, in words that say what to do. */

/**
 * @param error what listening rejected with
 * @returns null for an error that has nothing to do with listening; never holds the address
 */
export function failureOfListening(error: unknown): string | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return null;
  if (error.code === 'EADDRINUSE') return 'The port is taken: set PORT to a free one.';
  if (error.code === 'EACCES') return 'The port needs privileges: set PORT to 1024 or above.';
  return `The address cannot be listened on (${String(error.code)}): set HOST to an address of this machine.`;
}
