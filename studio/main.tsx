import { render } from 'preact';
import { App } from './app.tsx';
import { openGiven } from './given.ts';

render(<App />, document.getElementById('studio')!);
openGiven();
