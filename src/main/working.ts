import { createClassifier } from '../classify/registry.ts'
import { runJobs } from '../jobs/run-jobs.ts'
import { SCHEDULE } from '../jobs/schedule.ts'
import { createDeliverStage } from '../pipeline/deliver.ts'
import { createScoreStage, type ScoreStage } from '../pipeline/score.ts'
import { WORK_CHANNEL } from '../store/announcements.ts'
import { takeJobTurn } from '../store/job-turns.ts'
import type { Part } from './part.ts'

/** The part of a process that scores, delivers and runs the recurring jobs. */
export interface Working {
  score: ScoreStage
}

/** Starts to score and to deliver, and listens for what other processes leave to be done. */
export async function startWorking(part: Part): Promise<Working> {
  const { installation, metrics, onStop, ending } = part
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
