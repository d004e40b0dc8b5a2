import { z } from 'zod'
import { updateCompany } from '../../commands/company/update-company.ts'
import { defineOperation } from '../definition.ts'
import { company, companyFieldsIn } from './shapes.ts'

export const updateCompanyOperation = defineOperation({
  id: 'update-company',
  method: 'PATCH',
  path: '/v1/company',
  access: 'write',
  summary: 'Update the company profile',
  description:
    'Updates the fields that are sent; null clears a field. It applies to mentions scored from then ' +
    'on, for keywords in the default group and in groups without a context.',
  tag: 'Company',
  body: z.strictObject({
    ...companyFieldsIn,
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuses the update if the profile has another version.' }),
  }),
  status: 200,
  output: company,
  errors: ['stale_version'],
  tool: { name: 'update_company', title: 'Update the company profile', destructive: false, idempotent: true },
  run: (context, { body }) => updateCompany(context, body),
})
