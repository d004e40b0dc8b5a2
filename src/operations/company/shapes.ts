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
      .meta({ description: 'What customers use the products for.' }),
    competitors: z.array(textOut(COMPANY_LIMITS.competitor)).max(COMPANY_LIMITS.competitors),
    accounts: z
      .strictObject({
        x: textOut(COMPANY_LIMITS.account).nullable(),
        linkedin: textOut(COMPANY_LIMITS.account).nullable(),
      })
      .meta({
        description: 'Profile links.',
      }),
    website: textOut(COMPANY_LIMITS.website).nullable(),
    guidelines: textOut(COMPANY_LIMITS.guidelines).meta({
      description: 'What makes a post relevant to the team, and what makes it irrelevant.',
    }),
    context: textOut(COMPANY_LIMITS.context).meta({
      description:
        'Text that the classifier reads for keywords in the default group and in groups without a ' +
        'context. Composed from the other fields unless set.',
    }),
    version: z.int().min(1).meta({ description: 'Increases with every change. Send it as `ifVersion`.' }),
    updatedAt: timeOut,
  })
  .meta({ id: 'Company', description: 'Company profile that the classifier reads.' })

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
      .meta({ description: 'Profile link, @handle, or name in links.' }),
  ),
  website: clearable(lineIn(0, COMPANY_LIMITS.website)),
  guidelines: clearable(textIn(0, COMPANY_LIMITS.guidelines)),
  context: clearable(textIn(0, COMPANY_LIMITS.ownContext)).meta({
    description: 'Text for the classifier. Null composes it from the other fields again.',
  }),
}
