import { createHash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

const STYLE = `
  :root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif }
  main { max-width: 38rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 1rem }
  ul { padding-left: 1.25rem }
  a { color: inherit; text-underline-offset: .2em }
  code { font-size: .95em }
`

/** What a person sees who opens the address of the service in a browser. */
const LANDING = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earshot</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Earshot is running</h1>
<p>This server listens to social and developer platforms for the terms that its workspaces watch, scores what it finds and passes it on.</p>
<p>It is used through its interface, with an API key that the operator makes with <code>earshot keys create</code>.</p>
<nav aria-label="Documentation">
<ul>
<li><a href="/docs/">Reference of the interface</a></li>
<li><a href="/v1/openapi.json">OpenAPI description</a></li>
<li><a href="/v1/health">State of the service</a></li>
</ul>
</nav>
</main>
</body>
</html>
`

const LANDING_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The reference page builds itself with a script and styles of its own, and may talk to nobody but this server. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page would otherwise offer an assistant, a proxy, fonts and statistics of its maker, each a call to outside. */
const REFERENCE = {
  url: '/v1/openapi.json',
  pageTitle: 'Earshot: reference of the interface',
  agent: { disabled: true },
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  // Its own bar and buttons lead to a service elsewhere.
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const

/** The landing page at / and the reference of the interface at /docs, which needs nothing from outside. */
export function servePages(server: FastifyInstance): void {
  server.get('/', async (_request, reply) => reply.header('Content-Security-Policy', LANDING_POLICY).type('text/html; charset=utf-8').send(LANDING))
  server.register(scalar, {
    routePrefix: '/docs',
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('Content-Security-Policy', DOCS_POLICY)
        done()
      },
    },
    configuration: REFERENCE,
  })
}
