import type { FastifyInstance } from 'fastify'
import { serveAccount } from './account.ts'
import { serveAttention } from './attention.ts'
import type { SignInContext } from './context.ts'
import { serveInvitations } from './invitations.ts'
import { serveKeys } from './keys.ts'
import { mountPages } from './mount-pages.ts'
import { servePassword } from './password.ts'
import { serveReset } from './reset.ts'
import { serveSession } from './session.ts'
import { serveSignIn } from './sign-in.ts'
import { serveSignInLink } from './sign-in-link.ts'
import { serveSignInProviders } from './sign-in-provider.ts'
import { serveSignOut } from './sign-out.ts'
import { serveSignUp } from './sign-up.ts'
import { serveTeam } from './team.ts'
import { serveWorkspaces } from './workspaces.ts'

/** Requires `knowBrowsers`. */
export function serveAuth(server: FastifyInstance, door: SignInContext): void {
  mountPages(server, door, (pages) => {
    serveSignIn(pages, door)
    serveSignInLink(pages, door)
    serveSignInProviders(pages, door)
    serveSignUp(pages, door)
    serveReset(pages, door)
    serveInvitations(pages, door)
    serveWorkspaces(pages, door)
    serveAccount(pages, door)
    servePassword(pages, door)
    serveSession(pages, door)
    serveAttention(pages, door)
    serveTeam(pages, door)
    serveKeys(pages, door)
    serveSignOut(pages, door)
  })
}
