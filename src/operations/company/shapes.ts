import { z } from 'zod'
import { COMPANY_LIMITS } from '../../domain/workspace/company.ts'
import { lineIn, textIn, textOut, timeOut } from '../shapes.ts'

export const company = z
  .strictObject({
    name: textOut(COMPANY_LIMITS.name),
    description: textOut(COMPANY_LIMITS.description),
    useCases: z
      .array(textOut(COMPANY_LIMITS.useCase))
      .max(COMPANY_LIMITS.useCases)
      .meta({ description: 'What people use the products for.' }),
    competitors: z.array(textOut(COMPANY_LIMITS.competitor)).max(COMPANY_LIMITS.competitors),
    accounts: z
      .strictObject({
        x: textOut(COMPANY_LIMITS.account).nullable(),
        linkedin: textOut(COMPANY_LIMITS.account).nullable(),
      })
      .meta({
        description: 'Links of profiles.',
      }),
    website: textOut(COMPANY_LIMITS.website).nullable(),
    guidelines: textOut(COMPANY_LIMITS.guidelines).meta({
      description: 'What makes a post relevant to the team, and what does not.',
    }),
    context: textOut(COMPANY_LIMITS.context).meta({
      description:
        'The text that the classifier reads for keywords of the default group and of groups without a context; ' +
        'composed from the rest unless set.',
    }),
    version: z.int().min(1).meta({ description: 'Grows with every change; send it as ifVersion.' }),
    updatedAt: timeOut,
  })
  .meta({ id: 'Company', description: 'What the classifier knows of the company behind the workspace.' })

const listOf = (most: number, length: number) => z.array(lineIn(1, length)).max(most).nullable().optional()
const clearable = <Field extends z.ZodType>(field: Field) => field.nullable().optional()

/** What callers may send of a company. */
export const companyFieldsIn = {
  name: clearable(lineIn(0, COMPANY_LIMITS.name)),
  description: clearable(textIn(0, COMPANY_LIMITS.description)),
  useCases: listOf(COMPANY_LIMITS.useCases, COMPANY_LIMITS.useCase),
  competitors: listOf(COMPANY_LIMITS.competitors, COMPANY_LIMITS.competitor),
  accounts: clearable(
    z
      .strictObject({
        x: clearable(lineIn(0, COMPANY_LIMITS.account)),
        linkedin: clearable(lineIn(0, COMPANY_LIMITS.account)),
      })
      .meta({ description: 'A link of a profile, its @handle, or its name in links.' }),
  ),
  website: clearable(lineIn(0, COMPANY_LIMITS.website)),
  guidelines: clearable(textIn(0, COMPANY_LIMITS.guidelines)),
  context: clearable(textIn(0, COMPANY_LIMITS.ownContext)).meta({
    description: 'What the classifier shall read. Null lets it be composed from the other fields again.',
  }),
}
