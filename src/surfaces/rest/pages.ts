import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { html } from '../../kernel/markup.ts'
import { renderPage } from '../auth/page.ts'

/** What a person sees who opens the address of the service in a browser. */
const LANDING = renderPage({
  title: 'Earshot is running',
  body: html`<p>This server listens to social and developer platforms for the terms that its workspaces watch,
  scores what it finds and passes it on.</p>
<div class="actions">
<a class="button" href="/sign-in">Sign in</a>
</div>
<p>Programs use it through its interface, with an API key that the operator makes with <code>earshot keys
create</code>.</p>
<nav aria-label="Documentation">
<ul class="places">
<li><a href="/guide">Guide</a></li>
<li><a href="/docs/">Reference of the interface</a></li>
<li><a href="/v1/openapi.json">OpenAPI description</a></li>
<li><a href="/v1/health">State of the service</a></li>
</ul>
</nav>`,
})

/**
 * The reference builds itself with a large script of others. Its sandbox gives the page an origin of its own: it has
 * neither the cookies nor the storage of this one, and asks this server as a page from anywhere would. It may talk to
 * nobody else.
 */
const DOCS_POLICY =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads; default-src 'none'; " +
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const DOCS_TITLE = 'Earshot API reference'

/** The page would otherwise offer an assistant, a proxy, fonts and statistics of its maker, each a call to outside. */
const REFERENCE = {
  url: '/v1/openapi.json',
  pageTitle: DOCS_TITLE,
  agent: { disabled: true },
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  // Its own bar and buttons lead to a service elsewhere.
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const

/** In place of the page of the package, which holds code that a policy would have to let run. */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${DOCS_TITLE}</title>
</head>
<body>
<div id="app"></div>
<script src="js/storage.js"></script>
<script src="js/scalar.js"></script>
<script src="js/begin.js"></script>
</body>
</html>
`

/**
 * A page in a sandbox has no storage, and merely asking for it fails: the reference gets one that lasts as long as the
 * page.
 */
const STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size },
  }
  Object.defineProperty(window, name, { value: storage })
}
`

const BEGIN = `Scalar.createApiReference('#app', ${JSON.stringify(REFERENCE)})\n`

/** The landing page at / and the reference of the interface at /docs, which needs nothing from outside. */
export function servePages(server: FastifyInstance): void {
  server.get('/', async (_request, reply) => reply.headers(LANDING.headers).send(LANDING.html))
  server.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      // Browsers show no page that is in a sandbox and wants an opener policy.
      reply.removeHeader('Cross-Origin-Opener-Policy').header('Content-Security-Policy', DOCS_POLICY)
    })
    docs.addHook('onSend', async (_request, reply, payload) =>
      String(reply.getHeader('content-type')).startsWith('text/html') ? DOCS_PAGE : payload,
    )
    for (const [name, code] of Object.entries({ storage: STORAGE, begin: BEGIN }))
      docs.get(`/docs/js/${name}.js`, async (_request, reply) =>
        reply.type('application/javascript; charset=utf-8').send(code),
      )
    await docs.register(scalar, { routePrefix: '/docs', configuration: REFERENCE })
  })
}
