import { cacheName } from '../classify/ports.ts'
import type { ModelAccess } from '../classify/registry.ts'
import { reserveModelCost, settleModelCost } from '../store/model/model-costs.ts'
import { findModelVerdicts, keepModelVerdicts } from '../store/model/model-verdicts.ts'
import { languageModelOf } from './language-model.ts'
import type { ServicePart } from './part.ts'

/** The language model, its budget and cache for classifiers; null if none uses them. */
export async function askingOf({
  installation: { services, settings, log },
  metrics,
}: Pick<ServicePart, 'installation' | 'metrics'>): Promise<ModelAccess | null> {
  const { db, clock } = services
  const { secondLook } = settings
  const model = secondLook === null ? null : await languageModelOf(settings, clock)
  if (secondLook === null || model === null) return null
  const { dailyMicroUsd: budget, ...rest } = secondLook
  return {
    ...rest,
    model,
    clock,
    log,
    metrics,
    budget: {
      reserve: (workspaceId, microUsd) => reserveModelCost(db, { workspaceId, microUsd, budget }, clock.now()),
      settle: (reservation, cost) => settleModelCost(db, reservation, cost),
    },
    cache: {
      find: async (wanted) =>
        new Map(
          (await findModelVerdicts(db, wanted, clock.now())).map(({ workspaceId, key, verdict }) => [
            cacheName(workspaceId, key),
            verdict,
          ]),
        ),
      keep: (workspaceId, verdicts) => keepModelVerdicts(db, workspaceId, verdicts, clock.now()),
    },
  }
}
