// Draws the logo and the preview picture of the site: docs/public/logo.svg and og.png: npx tsx scripts/site-images.ts
import { writeFileSync } from 'node:fs';
import { launch } from '../test/browser.ts';

const folder = new URL('../docs/public/', import.meta.url);

/** An urn with balls of two colours, in a square of 64. */
const urn = `<path d="M16 14h32l-3 7c7 5 11 12 11 20 0 10-9 17-24 17S8 51 8 41c0-8 4-15 11-20z" fill="#b4472e"/>
<rect x="13" y="7" width="38" height="8" rx="4" fill="#8c3521"/>
<circle cx="24" cy="45" r="6.5" fill="#fbf8f4"/><circle cx="38" cy="47" r="6.5" fill="#f2b84b"/><circle cx="31" cy="34" r="6.5" fill="#fbf8f4"/><circle cx="44" cy="35" r="6.5" fill="#f2b84b"/>`;

const preview = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#fbf8f4"/>
<g transform="translate(90 170) scale(4.4)">${urn}</g>
<g font-family="system-ui, DejaVu Sans, sans-serif" fill="#1f2328">
<text x="440" y="280" font-size="104" font-weight="700">Pólya</text>
<text x="440" y="350" font-size="40">Text and table classification</text>
<text x="440" y="404" font-size="40">for Node and browsers</text>
<text x="440" y="470" font-size="30" fill="#59636e">train · explain · correct · forget</text>
</g>
</svg>
`;

writeFileSync(
  new URL('logo.svg', folder),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${urn}</svg>\n`,
);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<style>body { margin: 0 }</style>${preview}`);
await page.screenshot({ path: new URL('og.png', folder).pathname });
await browser.close();
