import { type Html, html } from '../../kernel/markup.ts'
import type { AuthDoor } from './door.ts'

/** What a sign-in through a provider is for, besides signing in. */
export interface Purpose {
  /** Where to go on to; a path that was checked. */
  next?: string | null
  /** The token of an invitation that is accepted on the way. */
  invitation?: string | null
}

/** The ways through providers, below those of our own; nothing where none is set up. */
export function providerButtons({ providers }: AuthDoor, { next = null, invitation = null }: Purpose): Html | null {
  if (providers.length === 0) return null
  const given = new URLSearchParams()
  if (next !== null) given.set('next', next)
  if (invitation !== null) given.set('invitation', invitation)
  const query = given.size === 0 ? '' : `?${given}`
  const address = (name: string) => `/sign-in/${name}${query}`
  return html`<p class="or">or</p>
<div class="actions">
${providers.map(({ name, title }) => html`<a class="button plain" href="${address(name)}">Continue with ${title}</a>`)}
</div>`
}
