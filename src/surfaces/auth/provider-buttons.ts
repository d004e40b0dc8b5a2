import { type Html, html } from '../../kernel/markup.ts'
import type { SignInContext } from './context.ts'

export interface SignInPurpose {
  /** A checked path. */
  next?: string | null
  /** An invitation to accept on the way. */
  invitation?: string | null
}

export function providerButtons(
  { providers }: SignInContext,
  { next = null, invitation = null }: SignInPurpose,
): Html | null {
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
