import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { html } from '../../kernel/markup.ts'
import { renderPage } from '../auth/page.ts'

/** What a person sees who opens the address of the service in a browser. */
const LANDING = renderPage({
  title: 'Earshot is running',
  body: html`<p>This server listens to social and developer platforms for the terms that its workspaces watch, scores what it finds and passes it on.</p>
<div class="actions">
<a class="button" href="/sign-in">Sign in</a>
</div>
<p>Programs use it through its interface, with an API key that the operator makes with <code>earshot keys create</code>.</p>
<nav aria-label="Documentation">
<ul class="places">
<li><a href="/docs/">Reference of the interface</a></li>
<li><a href="/v1/openapi.json">OpenAPI description</a></li>
<li><a href="/v1/health">State of the service</a></li>
</ul>
</nav>`,
})

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
  server.get('/', async (_request, reply) => reply.headers(LANDING.headers).send(LANDING.html))
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
