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
export function serveAuth(server: FastifyInstance, context: SignInContext): void {
  mountPages(server, context, (pages) => {
    serveSignIn(pages, context)
    serveSignInLink(pages, context)
    serveSignInProviders(pages, context)
    serveSignUp(pages, context)
    serveReset(pages, context)
    serveInvitations(pages, context)
    serveWorkspaces(pages, context)
    serveAccount(pages, context)
    servePassword(pages, context)
    serveSession(pages, context)
    if (!context.hasDashboard) serveAttention(pages, context)
    serveTeam(pages, context)
    serveKeys(pages, context)
    serveSignOut(pages, context)
  })
}
