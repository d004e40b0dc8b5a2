import { z } from 'zod'
import { updateCompany } from '../../commands/company/update-company.ts'
import { defineOperation } from '../definition.ts'
import { company, companyFieldsIn } from './shapes.ts'

export const updateCompanyOperation = defineOperation({
  id: 'update-company',
  method: 'PATCH',
  path: '/v1/company',
  access: 'write',
  summary: 'Change the company profile',
  description:
    'Changes the fields that are sent; null clears. Mentions that are scored from then on are scored by it: those ' +
    'of keywords in the default group and in ' +
    'groups without a context of their own.',
  tag: 'Company',
  body: z.strictObject({
    ...companyFieldsIn,
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuse the change when the company has another version by now.' }),
  }),
  status: 200,
  output: company,
  errors: ['stale_version'],
  tool: { name: 'update_company', title: 'Change the company profile', destructive: false, idempotent: true },
  run: (context, { body }) => updateCompany(context, body),
})
