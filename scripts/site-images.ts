// Draws the logo and the preview picture of the site: docs/public/logo.svg and og.png: npx tsx scripts/site-images.ts
import { writeFileSync } from 'node:fs';
import { palette } from '../src/report/style.ts';
import { launch } from '../test/browser.ts';

const folder = new URL('../docs/public/', import.meta.url);

/** The urn of the studio, with three balls in the first colours of its palette, in a square of 22. */
const urn = (line: string) => `<path d="M4 5V14A7 6 0 0 0 18 14V5" fill="none" stroke="${line}" stroke-width="1.6"/>
<circle cx="8.3" cy="14.6" r="2.5" fill="${palette[0]}"/><circle cx="13.7" cy="14.6" r="2.5" fill="${palette[1]}"/><circle cx="11" cy="9.9" r="2.5" fill="${palette[2]}"/>`;

/** Black on light and white on dark, as the system is. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 18 20">
<title>Pólya</title>
<style>path { stroke: #1f2328 } @media (prefers-color-scheme: dark) { path { stroke: #f0ece6 } }</style>
${urn('#1f2328')}
</svg>
`;

const preview = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#fbf8f4"/>
<g transform="translate(70 120) scale(16)">${urn('#1f2328')}</g>
<g font-family="system-ui, DejaVu Sans, sans-serif" fill="#1f2328">
<text x="440" y="280" font-size="104" font-weight="700">Pólya</text>
<text x="440" y="350" font-size="40">Text and table classification</text>
<text x="440" y="404" font-size="40">for Node and browsers</text>
<text x="440" y="470" font-size="30" fill="#59636e">train · explain · correct · forget</text>
</g>
</svg>
`;

writeFileSync(new URL('logo.svg', folder), logo);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<style>body { margin: 0 }</style>${preview}`);
await page.screenshot({ path: new URL('og.png', folder).pathname });
await browser.close();
