import type { ServerResponse } from 'node:http'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { html } from '../../kernel/markup.ts'
import { renderPage } from '../auth/page.ts'
import { compatAnswerTo } from '../compat/envelope.ts'
import { answerTo } from '../http/envelope.ts'
import { CORS_HEADERS, securityHeaders } from '../http/headers.ts'

/** Who asked, as far as the form of an answer depends on it. */
export interface Asker {
  requestId: string
  publicUrl: string
  isHead: boolean
  wantsPage: boolean
  isCompat: boolean
}

/** In the envelope of all errors, or as a page for people when something is not available. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, asker: Asker): void {
  const { status, headers, body } = asker.isCompat
    ? compatAnswerTo(refusal, asker.requestId, undefined)
    : answerTo(refusal, asker.requestId)
  if (!asker.wantsPage || status < 500) {
    sendOwn(response, { status, headers, content: JSON.stringify(body), asker })
    return
  }
  const page = renderPage({
    title: 'Not available right now',
    body: html`<div class="sheet">
<p role="alert">${refusal.message}</p>
<p class="hint">Request ${asker.requestId}</p>
</div>`,
  })
  sendOwn(response, { status, headers: { ...headers, ...page.headers }, content: page.html, asker })
}

export function sendOwn(
  response: ServerResponse,
  {
    status,
    headers = {},
    content,
    asker: { requestId, publicUrl, isHead },
  }: { status: number; headers?: Record<string, string>; content: string; asker: Asker },
): void {
  response.writeHead(status, {
    ...securityHeaders(publicUrl),
    ...CORS_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    'Content-Length': String(Buffer.byteLength(content)),
    'X-Request-Id': requestId,
  })
  response.end(isHead ? undefined : content)
}
