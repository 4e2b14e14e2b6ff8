// Draws docs/images/terminal.svg, the picture of the readme, from the session of the spam guide: npx tsx
// scripts/terminal-picture.ts
import { writeFileSync } from 'node:fs';
import { terminalPicture } from '../test/terminal-picture.ts';

writeFileSync(new URL('../docs/images/terminal.svg', import.meta.url), terminalPicture());
