import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signInByProvider } from '../../commands/accounts/sign-in-by-provider.ts'
import { openInvitationLink } from '../../commands/members/open-invitation-link.ts'
import { isRefusal, refuse } from '../../domain/refusal/refusal.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { visited } from './at-home.ts'
import { clearCookie, readCookie, sessionHashOf, setCookie } from './browser.ts'
import { countAttempt, type SignInContext } from './context.ts'
import { enter, nextOf } from './enter.ts'
import { addressOf } from './invitations.ts'
import { sendRefusal } from './mount-pages.ts'
import { localPath } from './next.ts'
import { OPENED_BY_ANYBODY } from './page.ts'
import type { SignInProvider } from './providers/provider.ts'

/** Only the same browser can use the answer, once. */
export function serveSignInProviders(pages: FastifyInstance, context: SignInContext): void {
  for (const provider of context.providers) serveProvider(pages, context, provider)
}

function serveProvider(pages: FastifyInstance, context: SignInContext, provider: SignInProvider): void {
  const { services } = context
  const redirectUri = `${services.publicUrl}/sign-in/${provider.name}/callback`

  pages.get(`/sign-in/${provider.name}`, async (request, reply) => {
    const tooMany = await countAttempt(context, request, 'sign-in', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const { url, memory } = await provider.start(redirectUri)
    keep(context, request, reply, {
      provider: provider.name,
      memory,
      next: nextOf(request),
      invitation: invitationOf(request),
    })
    // The provider learns nothing of the address that led here.
    return reply
      .code(302)
      .headers({ Location: url, 'Cache-Control': 'no-store', ...OPENED_BY_ANYBODY })
      .send()
  })

  pages.get(`/sign-in/${provider.name}/callback`, async (request, reply) => {
    // Each answer causes requests to the provider. The cookie stays, so that a reload after a minute works.
    const tooMany = await countAttempt(context, request, 'answer', null)
    if (tooMany !== null) return sendRefusal(request, reply, tooMany)
    const kept = await take(context, request, reply)
    if (kept === null || kept.provider !== provider.name)
      return sendRefusal(
        request,
        reply,
        refuse('forbidden', 'This sign-in was started in another browser or took too long. Try again.'),
      )
    const profile = await provider.finish(new URL(request.url, services.publicUrl), kept.memory, redirectUri)
    if (profile === 'refused')
      return sendRefusal(
        request,
        reply,
        refuse('forbidden', `${provider.title} did not sign you in. Try again, or another way.`),
      )
    const signedIn = await signInByProvider(visited(context, request), profile, kept.invitation, sessionHashOf(request))
    if (isRefusal(signedIn)) return sendRefusal(request, reply, signedIn)
    return enter(request, reply, signedIn, await wayOn(context, kept))
  })
}

/** Sealed in a cookie, so that abandoned sign-ins store nothing. */
interface Kept {
  provider: string
  memory: string
  next: string | null
  invitation: string | null
}

const ON_THE_WAY_MS = 10 * MINUTE_MS
const BOUND_TO = 'sign-in through a provider'
/** Browsers drop cookies over 4096 bytes with name and attributes. */
const COOKIE_MAX = 3900

function keep({ services }: SignInContext, request: FastifyRequest, reply: FastifyReply, kept: Kept): void {
  const seal = (next: string | null) =>
    services.sealer.seal(
      JSON.stringify({ ...kept, next, until: plus(services.clock.now(), ON_THE_WAY_MS).getTime() }),
      BOUND_TO,
    )
  const whole = seal(kept.next)
  setCookie(request, reply, 'provider', whole.length <= COOKIE_MAX ? whole : seal(null), ON_THE_WAY_MS / SECOND_MS)
}

/**
 * Single use. A copied cookie works again only in a new window of the limit, and never after it expired.
 */
async function take(
  { services, limits }: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Kept | null> {
  const value = readCookie(request, 'provider')
  if (value === null) return null
  clearCookie(request, reply, 'provider')
  const plain = services.sealer.open(value, BOUND_TO)
  if (plain === null) return null
  const { until, ...kept } = JSON.parse(plain) as Kept & { until: number }
  if (until <= services.clock.now().getTime()) return null
  const once = await limits.exact.take(`answer taken ${kept.memory}`, 1, ON_THE_WAY_MS)
  return once.granted ? kept : null
}

/** Longer text is no token. */
function invitationOf({ query }: FastifyRequest): string | null {
  const { invitation } = query as { invitation?: unknown }
  return typeof invitation === 'string' && invitation.length <= 500 ? invitation : null
}

/** An invitation still open is for somebody with an account, who decides now. */
async function wayOn({ services }: SignInContext, { next, invitation }: Kept): Promise<string | null> {
  if (invitation === null || isRefusal(await openInvitationLink(services, invitation)))
    return localPath(next, services.publicUrl)
  return addressOf(invitation)
}
