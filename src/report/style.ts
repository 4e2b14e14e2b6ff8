/** Eight colours that stay apart for colour-blind readers, on light and on dark. Okabe & Ito, Color Universal Design (2008). */
export const palette: readonly string[] = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#e69f00',
  '#8f7a00',
  '#7f7f7f',
];

/** The looks of the page: system font, light and dark, and paper. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --back: #ffffff; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #3d444d; --back: #0d1117; --card: #161b22; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid var(--line); }
p { max-width: 44rem; } .soft { color: var(--soft); } .big { font-size: 1.25rem; }
.cards { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; padding: 0; list-style: none; }
.cards li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; min-width: 9rem; }
.cards b { display: block; font-size: 1.3rem; } .cards span { color: var(--soft); font-size: .85rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem; }
figure { margin: 0; break-inside: avoid; } figcaption b { display: block; } figcaption { margin-bottom: .4rem; }
svg { max-width: 100%; height: auto; overflow: visible; }
table { border-collapse: collapse; font-size: .92rem; } th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
thead th { border-bottom: 1px solid var(--line); } td.number, .number { text-align: right; } .wide { overflow-x: auto; }
details { margin: .4rem 0; } summary { color: var(--soft); cursor: pointer; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
.warning { border-left: 4px solid #d55e00; padding-left: .8rem; }
.keys { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .85rem; margin: 0; padding: 0; list-style: none; }
.keys i { display: inline-block; width: .8rem; height: .8rem; border-radius: .15rem; margin-right: .35rem; vertical-align: -.05rem; }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } details[open] summary { display: none; } h2 { break-after: avoid; } }
`;
