import { z } from 'zod'
import { ACCOUNT_LIMITS } from '../../domain/account/account.ts'
import { INVITED_ROLES } from '../../domain/member/invitation.ts'
import { ROLES } from '../../domain/member/member.ts'
import { idOut, textOut, timeOut } from '../shapes.ts'

export const role = z.enum(ROLES).meta({
  description:
    'Members may do everything except manage members, keys and billing. Admins also manage members ' +
    'and billing. Owners may do everything.',
})

export const invitedRole = z
  .enum(INVITED_ROLES)
  .meta({ description: 'Role of the invited person. Only owners make members owners.' })

export const emailIn = z
  .string()
  .max(ACCOUNT_LIMITS.email)
  .meta({
    description: 'E-mail address, in any letter case.',
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
  .meta({ id: 'Member', description: 'A member of the workspace.' })

export const invitation = z
  .strictObject({
    id: idOut('inv'),
    email: textOut(ACCOUNT_LIMITS.email),
    role: z.enum(ROLES).meta({ description: 'Role of the invited person. Only the operator invites owners.' }),
    invitedBy: idOut('user')
      .nullable()
      .meta({ description: 'Who invited; null for the operator and for deleted accounts.' }),
    expiresAt: timeOut.meta({ description: 'When the invitation expires.' }),
    createdAt: timeOut,
    url: z
      .string()
      .max(2000)
      .nullable()
      .meta({
        description:
          'Link to pass on if no mail was sent; null if it was mailed, for owners, and for callers who may ' +
          'not invite.',
      }),
  })
  .meta({ id: 'Invitation', description: 'An open invitation.' })
