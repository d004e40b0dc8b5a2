import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Html, html } from '../../kernel/markup.ts'
import { DARK, LIGHT, type Palette } from './palette.ts'

export interface Page {
  title: string
  places?: Html
  body: Html
  /** Form targets besides our origin, as addresses or schemes, for the content policy. */
  formTargets?: readonly string[]
}

export interface RenderedPage {
  html: string
  headers: Record<string, string>
}

/** No script, no external resource, no framing, no caching. */
export function renderPage({ title, places, body, formTargets = [] }: Page): RenderedPage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Earshot</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><a href="/">${MARK}Earshot</a></header>
${places}
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return {
    html: page.text,
    headers: {
      'Content-Security-Policy': policyWith(formTargets),
      // With no-referrer, browsers hide a form's origin from us too.
      'Referrer-Policy': 'same-origin',
      ...OPENED_BY_ANYBODY,
      'Cache-Control': 'no-store',
      'Content-Type': 'text/html; charset=utf-8',
    },
  }
}

export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  const rendered = renderPage(page)
  return reply.code(status).headers(rendered.headers).send(rendered.html)
}

/** 303, so that a reload does not send the form again. */
export function leadTo(reply: FastifyReply, address: string): FastifyReply {
  return reply
    .code(303)
    .headers({ Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin', ...OPENED_BY_ANYBODY })
    .send()
}

/**
 * Web clients open these pages in a window and await the answer. They cannot look inside, but a stricter policy would
 * cut the window off.
 */
export const OPENED_BY_ANYBODY = { 'Cross-Origin-Opener-Policy': 'unsafe-none' } as const

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.2"
stroke-linecap="round" aria-hidden="true"><path
d="M5 16.5A9 9 0 1 1 20.5 11c0 4-3.5 4.5-4.3 7.2-.5 1.7-1.6 2.8-3.2 2.8a3.4 3.4 0 0 1-3-1.8"/><path
d="M9 12.5a4 4 0 1 1 7-2.6"/><circle cx="12.6" cy="12.6" r="1.1" fill="currentColor" stroke="none"/></svg>`

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')

/** One column from phone width: text at least 16 pixels, touch targets at least 48. */
export const STYLE = `
:root{color-scheme:light dark;font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:29rem;padding:1.25rem 1.25rem 4rem;overflow-wrap:anywhere}
header{margin:0 0 1.75rem}
header a{
  display:inline-flex;align-items:center;gap:.5rem;min-height:3rem;color:inherit;font-weight:650;
  font-size:1.125rem;text-decoration:none
}
header svg{color:var(--accent)}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1.1875rem;line-height:1.3;margin:2.5rem 0 .5rem}
p,ul{margin:0 0 1rem}
ul{padding-left:1.25rem}
a{color:var(--accent);text-underline-offset:.2em}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
strong{font-weight:650;unicode-bidi:isolate}
.quiet,.hint{color:var(--quiet)}
.hint{font-size:.9375rem;margin:.25rem 0 0}
form{margin:0 0 1rem}
.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin:0 0 1.25rem}
.sheet>:last-child{margin-bottom:0}
.sheet>h2:first-child{margin:0 0 .75rem}
.field{margin:0 0 1.125rem}
label,legend{display:block;font-weight:600;margin:0 0 .375rem;padding:0}
fieldset{border:0;margin:0 0 1.125rem;padding:0;min-width:0}
input,select{
  width:100%;min-height:3rem;font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--edge);
  border-radius:.5rem;padding:.625rem .75rem
}
input[type=radio],input[type=checkbox]{
  width:1.25rem;height:1.25rem;min-height:0;margin:0;flex:none;accent-color:var(--accent)
}
input[readonly]{color:var(--quiet);background:var(--ground)}
input[aria-invalid=true]{border-color:var(--alarm);box-shadow:inset 0 0 0 1px var(--alarm)}
.choice{
  display:flex;align-items:center;gap:.75rem;min-height:3rem;margin:0 0 .5rem;padding:.5rem .75rem;
  font-weight:400;border:1px solid var(--edge);border-radius:.5rem;cursor:pointer
}
.choice .hint{display:block;margin:0}
.choice:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.wrong{color:var(--alarm);font-size:.9375rem;margin:.375rem 0 0}
.note{background:var(--notice);border-radius:.5rem;padding:.75rem 1rem;margin:0 0 1.25rem}
.note>:last-child{margin-bottom:0}
.note.wrong{color:var(--alarm);background:var(--sheet);border:1px solid var(--alarm);font-size:1rem}
button,.button{
  display:block;width:100%;min-height:3rem;font:inherit;font-weight:600;text-align:center;
  text-decoration:none;color:var(--onAccent);background:var(--accent);border:1px solid var(--accent);
  border-radius:.5rem;padding:.625rem 1rem;cursor:pointer
}
button.plain,.button.plain{color:var(--text);background:var(--sheet);border-color:var(--edge)}
button.alarm,.button.alarm{color:var(--alarm);background:var(--sheet);border-color:var(--alarm)}
button:hover,.button:hover{filter:brightness(.94)}
.actions{display:grid;gap:.75rem;margin:0 0 1.25rem}
.actions form{margin:0}
.rows{list-style:none;padding:0}
.rows>li{padding:.875rem 0;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0;padding-top:0}
.rows>li:last-child{padding-bottom:0}
.rows form,.rows .button{margin:.75rem 0 0}
.rows p:not(.hint){margin:.5rem 0 0}
.line{border-bottom:1px solid var(--line);margin:-1rem 0 1.75rem}
.line ul{display:flex;flex-wrap:wrap;gap:0 1.25rem;list-style:none;margin:0;padding:0}
.line a{display:inline-flex;align-items:center;min-height:3rem}
.line [aria-current]{color:inherit;font-weight:650;text-decoration:none;box-shadow:inset 0 -2px var(--accent)}
details>:last-child{margin-bottom:0}
summary{color:var(--accent);font-weight:600;padding:.625rem 0;cursor:pointer}
.beside{display:flex;flex-wrap:wrap;align-items:flex-end;gap:.75rem}
.beside .field{flex:1 1 6rem;margin:0}
.beside button{flex:none;width:auto}
.copy{
  display:block;color:var(--text);background:var(--ground);border:1px solid var(--edge);border-radius:.5rem;
  padding:.75rem;margin:.375rem 0 0;-webkit-user-select:all;user-select:all
}
.links{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:0}
.places{list-style:none;padding:0}
.places a{display:inline-block;padding:.625rem 0}
.links a{display:inline-flex;align-items:center;min-height:3rem}
.or{display:flex;align-items:center;gap:.75rem;color:var(--quiet);margin:0 0 1.25rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){body{padding-top:3rem}.sheet{padding:1.75rem}}
@media (prefers-reduced-motion:no-preference){button,.button{transition:filter .12s}}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Browsers apply form-action to the redirect after a form too. */
export function policyWith(formTargets: readonly string[]): string {
  const targets = ["'self'", ...new Set(formTargets.map(sourceOf))].join(' ')
  return (
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${targets}; base-uri 'none'; ` +
    `frame-ancestors 'none'`
  )
}

/** The scheme when a content policy cannot name the origin. */
function sourceOf(address: string): string {
  if (/^[a-z][a-z0-9+.-]*:$/.test(address)) return address
  const { protocol, host } = new URL(address)
  const namable = /^https?:$/.test(protocol) && /^[a-z0-9.-]+(?::\d+)?$/.test(host)
  return namable ? `${protocol}//${host}` : protocol
}
