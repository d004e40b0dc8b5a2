import { getCompany } from '../../queries/company.ts'
import { defineOperation } from '../definition.ts'
import { company } from './shapes.ts'

export const getCompanyOperation = defineOperation({
  id: 'get-company',
  method: 'GET',
  path: '/v1/company',
  access: 'read',
  summary: 'Get the company profile',
  description:
    "Returns the company's profile and the text that the classifier reads. Empty before it is filled " + 'in.',
  tag: 'Company',
  status: 200,
  output: company,
  errors: [],
  tool: { name: 'get_company', title: 'Get the company profile', destructive: false, idempotent: true },
  run: (context) => getCompany(context),
})
