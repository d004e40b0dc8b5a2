import { getCompany } from '../../queries/company.ts'
import { defineOperation } from '../definition.ts'
import { company } from './shapes.ts'

export const getCompanyOperation = defineOperation({
  id: 'get-company',
  method: 'GET',
  path: '/v1/company',
  access: 'read',
  summary: 'Read the company profile',
  description:
    'What the team has told of its company, and the text that the classifier reads. Empty while nothing was told.',
  tag: 'Company',
  status: 200,
  output: company,
  errors: [],
  tool: { name: 'get_company', title: 'Read the company profile', destructive: false, idempotent: true },
  run: (context) => getCompany(context),
})
