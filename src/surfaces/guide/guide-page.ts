import { createHash } from 'node:crypto'
import { Html, html } from '../../kernel/markup.ts'
import { DARK, LIGHT, type Palette } from '../auth/palette.ts'
import type { Chapter } from './library.ts'

export interface GuidePage {
  title: string
  body: Html
  chapters: readonly Chapter[]
  /** Empty for a page outside the navigation. */
  address: string
  query?: string
}

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

const STYLE = `
:root{color-scheme:light dark;font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);
-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:78rem;padding:1rem 1.25rem 4rem;overflow-wrap:break-word}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 2rem;margin:0 0 1.5rem}
header a{display:inline-flex;align-items:center;min-height:3rem;color:inherit;
font-weight:650;font-size:1.125rem;text-decoration:none}
form{display:flex;gap:.5rem;flex:1 1 18rem;max-width:32rem}
input,button{min-height:3rem;font:inherit;border-radius:.5rem;border:1px solid var(--edge);padding:.5rem .75rem}
input{flex:1;min-width:0;color:inherit;background:var(--sheet)}
button{color:var(--onAccent);background:var(--accent);border-color:var(--accent);font-weight:600;cursor:pointer}
nav h2{font-size:.875rem;margin:1.25rem 0 .25rem;color:var(--quiet)}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.3125rem 0;color:inherit;text-decoration:none}
nav a:hover{text-decoration:underline}
nav [aria-current]{color:var(--accent);font-weight:650}
main{min-width:0;max-width:48rem}
h1{font-size:1.875rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 1rem}
h2{font-size:1.3125rem;line-height:1.3;margin:2.25rem 0 .5rem}
h3{font-size:1.0625rem;margin:1.75rem 0 .5rem}
p,ul,ol,.table,pre{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.2em}
.anchor{color:var(--quiet);text-decoration:none;opacity:0}
:is(h2,h3,h4):hover .anchor,.anchor:focus{opacity:1}
code{font:.875em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--sheet);border:1px solid var(--line);border-radius:.5rem;padding:.875rem 1rem;overflow-x:auto}
.table{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
img{max-width:100%;height:auto;border-radius:.5rem}
.hits{list-style:none;padding:0}
.hits li{padding:.75rem 0;border-top:1px solid var(--line)}
.hits p{margin:.25rem 0 0;color:var(--quiet)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:60rem){.columns{display:grid;grid-template-columns:16rem 1fr;gap:3rem}}
@media (max-width:59.99rem){nav{order:2;margin-top:3rem}.columns{display:flex;flex-direction:column}}
`

/** Only the page's own style, local pictures and the search: no script and nothing external. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; ` +
  `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

export const GUIDE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'public, max-age=300',
  'Content-Type': 'text/html; charset=utf-8',
} as const

export function renderGuidePage({ title, body, chapters, address, query = '' }: GuidePage): string {
  const link = (page: Chapter['pages'][number]) => {
    const current = page.address === address && new Html(' aria-current="page"')
    return html`<li><a href="${page.address}"${current}>${page.title}</a></li>`
  }
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Earshot guide</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><a href="/guide">Earshot guide</a>
<form action="/guide/search" role="search">
<input type="search" name="q" value="${query}" maxlength="200"
  aria-label="Search the guide" placeholder="Search the guide">
<button>Search</button>
</form></header>
<div class="columns">
<nav aria-label="Pages">
${chapters.map((chapter) => html`<h2>${chapter.title}</h2>\n<ul>${chapter.pages.map(link)}</ul>\n`)}
<h2>Elsewhere</h2>
<ul><li><a href="/docs/">Reference of the API</a></li></ul>
</nav>
<main>
<h1>${title}</h1>
${body}
</main>
</div>
</body>
</html>
`.text
}
