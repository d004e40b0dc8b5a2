import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dismissAttention } from '../../commands/attention/dismiss-attention.ts'
import type { AttentionKind } from '../../domain/attention/kinds.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { fromId } from '../../kernel/ids.ts'
import { type Html, html } from '../../kernel/markup.ts'
import type { AttentionItem } from '../../queries/attention/attention-shape.ts'
import { getAttention } from '../../queries/attention/get-attention.ts'
import { listAttention } from '../../queries/attention/list-attention.ts'
import { type ChosenWorkspace, inChosen, placesOf, workspaceForm } from './chosen.ts'
import type { SignInContext } from './context.ts'
import { sendRefusal } from './mount-pages.ts'
import { leadTo, sendPage } from './page.ts'
import { minuteOf } from './team-page.ts'

export function serveAttention(pages: FastifyInstance, context: SignInContext): void {
  pages.get('/attention', inChosen(context, showAttention))

  pages.post<{ Params: { id: string } }>(
    '/attention/:id/dismiss',
    inChosen(context, async (request, reply, { writing }) => {
      const id = fromId('att', request.params.id)
      const item = id === null ? GONE : await dismissAttention(writing, id)
      return isRefusal(item)
        ? sendRefusal(request, reply, item, { address: '/attention', words: 'See what is open' })
        : leadTo(reply, '/attention?dismissed')
    }),
  )
}

const GONE = refuse('not_found', 'This workspace has no such item.')

/** Items on the page. Older ones are in the API. */
const SHOWN_MAX = 100

async function showAttention(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
): Promise<FastifyReply> {
  const { workspace, writing } = chosen
  const { item: wanted, dismissed } = request.query as Record<string, unknown>
  const open = await listAttention(writing, { statuses: ['open'], kinds: null, limit: SHOWN_MAX, cursor: null })
  if (isRefusal(open)) return sendRefusal(request, reply, open)
  const asked =
    typeof wanted === 'string'
      ? (open.data.find(({ id }) => id === wanted) ?? (await closedItem(chosen, wanted)))
      : null
  const others = open.data.filter((item) => item !== asked)
  const body = html`${
    dismissed !== undefined &&
    html`<p class="note" role="status">It is dismissed. It comes back only after it has been over once.</p>`
  }
${asked !== null && askedSheet(request, reply, chosen, asked)}
<section class="sheet" aria-labelledby="open">
<h2 id="open">${asked !== null && !isRefusal(asked) && asked.status === 'open' ? 'Also open' : 'Open'}</h2>
${
  others.length === 0
    ? html`<p>Nothing${asked === null ? '' : ' else'} needs attention.</p>`
    : html`<ul
class="rows">${others.map((item) => html`<li>${itemParts(request, reply, chosen, item)}</li>`)}</ul>`
}
${open.nextCursor !== null && html`<p class="hint">These are the last ${SHOWN_MAX}; there are more.</p>`}
</section>
<p class="hint">Checks run after each full hour. An item resolves when its cause ends.</p>`
  return sendPage(reply, { title: 'Attention', places: placesOf(workspace, '/attention'), body })
}

/** An item of a link in a message may be closed or belong to another workspace. */
async function closedItem({ writing }: ChosenWorkspace, wanted: string): Promise<AttentionItem | Refusal> {
  const id = fromId('att', wanted)
  return id === null ? GONE : await getAttention(writing, id)
}

function askedSheet(
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: ChosenWorkspace,
  asked: AttentionItem | Refusal,
): Html {
  if (isRefusal(asked))
    return html`<p class="note" role="status">What you came for is not in this workspace any more,
    or belongs to <a href="/workspaces">another one</a>.</p>`
  return html`<section class="sheet" aria-labelledby="asked">
<h2 id="asked">${KINDS[asked.kind]}</h2>
${itemParts(request, reply, chosen, asked)}
</section>`
}

function itemParts(request: FastifyRequest, reply: FastifyReply, chosen: ChosenWorkspace, item: AttentionItem): Html {
  const { id, title, status, openedAt, resolvedAt } = item
  const dismissing = html`<button type="submit" class="plain" aria-label="Dismiss: ${title}">Dismiss</button>`
  return html`<strong>${title}</strong>
<p class="hint">since ${minuteOf(openedAt)}${
    resolvedAt !== null && `, until ${minuteOf(resolvedAt)}`
  }${status === 'dismissed' && ', dismissed'}</p>
${status === 'open' && workspaceForm(request, reply, chosen, `/attention/${id}/dismiss`, dismissing)}`
}

const KINDS: Readonly<Record<AttentionKind, string>> = {
  'mention.spike': 'Many mentions',
  'sentiment.negative_spike': 'Many negative mentions',
  'keyword.noisy': 'A noisy keyword',
  'channel.failing': 'A failing channel',
  'deliveries.waiting': 'Held deliveries',
  'disk.filling': 'A disk that fills',
}
