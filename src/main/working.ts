import { createClassifier } from '../classify/registry.ts'
import { runJobs } from '../jobs/run-jobs.ts'
import { SCHEDULE } from '../jobs/schedule.ts'
import { StartError } from '../kernel/start-error.ts'
import { createDeliverStage } from '../pipeline/deliver.ts'
import { createScoreStage, type ScoreStage } from '../pipeline/score.ts'
import { WORK_CHANNEL } from '../store/announcements.ts'
import { secretBinding } from '../store/channels.ts'
import { takeJobTurn } from '../store/job-turns.ts'
import { readNewestSecrets } from '../store/sealed-secrets.ts'
import type { Part } from './part.ts'

/** The part of a process that scores, delivers and runs the recurring jobs. */
export interface Working {
  score: ScoreStage
}

const SECRETS_TRIED = 20

/**
 * A process with another key than those that it shares the database with could deliver to nobody, and would find out
 * delivery by delivery. Where everything is one process, the key was lost: it goes on, for new secrets can be made.
 */
async function checkKey({ role, installation: { services, log } }: Part): Promise<void> {
  const secrets = await readNewestSecrets(services.db, SECRETS_TRIED)
  const opens = secrets.some(({ workspaceId, channelId, sealed }) => services.sealer.open(sealed, secretBinding(workspaceId, channelId)) !== null)
  if (opens || secrets.length === 0) return
  const problem = 'the secrets of the channels in this database were sealed with another key'
  if (role !== 'all') throw new StartError(`EARSHOT_SECRET_KEY: ${problem}; every process that shares it needs the same one.`)
  log.error(`${problem}; deliveries are held until the old key is back or the secrets are renewed`)
}

/** Starts to score and to deliver, and listens for what other processes leave to be done. */
export async function startWorking(part: Part): Promise<Working> {
  const { installation, metrics, onStop, ending } = part
  await checkKey(part)
  const { services, settings, log } = installation
  const { db, clock, channels, sealer } = services
  const classifier = await createClassifier(settings.classifier)
  onStop(() => classifier.close())

  // Scoring ends before delivering does, and both after what hands over to them.
  const delivering = new AbortController()
  const deliver = createDeliverStage({ db, clock, log, metrics, channels, sealer })
  onStop(runUntil(delivering, deliver.run(delivering.signal)))
  const scoring = new AbortController()
  const score = createScoreStage({ db, clock, log, metrics, metered: services.billing === 'metered', classifier, deliver })
  onStop(runUntil(scoring, score.run(scoring.signal)))

  const wake = (kind: string) => (kind === 'deliveries' ? deliver.wake() : score.wake())
  const wakeAll = () => {
    deliver.wake()
    score.wake()
  }
  db.listen(WORK_CHANNEL, wake, wakeAll, ending)
  const jobs = runJobs(SCHEDULE, { services, log, metrics, turnOf: (job, at) => takeJobTurn(db, job.name, job.everyMs, at) }, ending)
  onStop(() => jobs)
  return { score }
}

/** Ends a loop by its signal and waits for it. */
function runUntil(controller: AbortController, running: Promise<void>): () => Promise<void> {
  return () => {
    controller.abort()
    return running
  }
}
