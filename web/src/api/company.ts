import { api, dataOf, type Schema } from './client.ts'

export type Company = Schema<'Company'>
export type CompanyChange = Schema<'UpdateCompanyBody'>

export function getCompany(signal: AbortSignal): Promise<Company> {
  return dataOf(api.GET('/v1/company', { signal }))
}

export function updateCompany(body: CompanyChange): Promise<Company> {
  return dataOf(api.PATCH('/v1/company', { body }))
}
