import { render } from 'preact';
import { App } from './app.tsx';
import { openGiven } from './given.ts';
import { warmUp } from './warm.ts';

render(<App />, document.getElementById('studio')!);
openGiven();
warmUp();
