import { render } from 'preact';
import { App } from './app.tsx';
import './styles/base.css';
import './styles/chat.css';
import './styles/help.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
