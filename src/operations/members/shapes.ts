import { z } from 'zod'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import { INVITED_ROLES } from '../../domain/member/invitation.ts'
import { ROLES } from '../../domain/member/member.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const role = z.enum(ROLES).meta({
  description:
    'Members may do all but manage members, keys and billing; admins also manage members and billing; owners ' +
    'everything.',
})

export const invitedRole = z
  .enum(INVITED_ROLES)
  .meta({ description: 'What the invited person becomes. Owners are made of members, by owners.' })

export const emailIn = z
  .string()
  .max(ACCOUNT_LIMITS.email)
  .meta({
    description: 'An e-mail address; letter case does not count.',
    format: 'email',
    minLength: 3,
    examples: ['ada@example.com'],
  })

export const member = z
  .strictObject({
    id: idOut('mem'),
    userId: idOut('user'),
    email: textOut(ACCOUNT_LIMITS.email),
    name: textOut(ACCOUNT_LIMITS.name),
    role,
    joinedAt: timeOut,
  })
  .meta({ id: 'Member', description: 'Somebody who belongs to the workspace.' })

export const invitation = z
  .strictObject({
    id: idOut('inv'),
    email: textOut(ACCOUNT_LIMITS.email),
    role: z
      .enum(ROLES)
      .meta({ description: 'What the invited person becomes. Only who runs the installation invites owners.' }),
    invitedBy: idOut('user')
      .nullable()
      .meta({ description: 'Who invited; null for who runs the installation, and when the account is gone.' }),
    expiresAt: timeOut.meta({ description: 'Until when it can be accepted.' }),
    createdAt: timeOut,
    url: z
      .string()
      .max(2000)
      .nullable()
      .meta({
        description:
          'The link to pass on when it was not mailed; null when it was, for an owner, and for callers who may ' +
          'not invite.',
      }),
  })
  .meta({ id: 'Invitation', description: 'An invitation that is not accepted yet.' })
