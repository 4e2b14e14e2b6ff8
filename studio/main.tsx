import { render } from 'preact';
import { App } from './app.tsx';
import { openGiven } from './given.ts';
import { keepForLater } from './offline.ts';
import { openLast } from './open.ts';
import { warmUp } from './warm.ts';

render(<App />, document.getElementById('studio')!);
openLast().then((found) => (found ? undefined : openGiven()));
warmUp().then(keepForLater);
