import { createClassifier } from '../classify/registry.ts'
import { runJobs } from '../jobs/run-jobs.ts'
import { SCHEDULE } from '../jobs/schedule.ts'
import { DeliverStage } from '../pipeline/deliver/deliver.ts'
import { ScoreStage } from '../pipeline/score/score.ts'
import { createFoldStage } from '../pipeline/store/fold-people.ts'
import { WORK_CHANNEL, type WorkKind } from '../store/announcements.ts'
import { takeJobTurn } from '../store/job-turns.ts'
import { sealKey } from './backup-key.ts'
import { diskJob } from './disk-use.ts'
import { createMailStage, type MailStage, watchMails } from './mail.ts'
import { askingOf } from './model-asking.ts'
import type { ServicePart } from './part.ts'
import { backupJob } from './scheduled-backups.ts'

export interface Working {
  score: ScoreStage
}

/** Listens for other processes' wake-ups too. */
export async function startWorking(part: ServicePart): Promise<Working> {
  const { deliver, score } = await startStages(part)
  const mails = startMails(part)
  listenForWork(part, {
    deliveries: deliver.wake,
    mentions: score.wake,
    mails: () => mails?.wake(),
  })
  startJobs(part)
  return { score }
}

async function startStages(part: ServicePart): Promise<{ deliver: DeliverStage; score: ScoreStage }> {
  const { installation, metrics, onStop, ending } = part
  const { services, settings, log } = installation
  const { db, clock, channels, around, sealer } = services
  const classifier = await createClassifier(settings.classifier, {
    threads: settings.classifyThreads,
    asking: await askingOf(part),
  })
  onStop(() => classifier.close())

  // Scoring hands over what is in flight at the end, so delivering ends later.
  const delivering = new AbortController()
  const deliver = new DeliverStage({
    db,
    clock,
    log,
    metrics,
    channels,
    around,
    sealer,
    perHostSecond: settings.webhooksPerHostSecond,
  })
  const delivered = deliver.run(delivering.signal)
  onStop(() => delivered)
  const fold = createFoldStage({ db, clock, log })
  const folded = fold.run(ending)
  onStop(() => folded)
  const score = new ScoreStage({
    db,
    clock,
    log,
    metrics,
    metered: services.billing === 'metered',
    classifier,
    deliver,
    onScored: fold.wake,
  })
  const scored = score.run(ending).finally(() => delivering.abort())
  onStop(() => scored)
  return { deliver, score }
}

function startMails({ installation, metrics, onStop, ending }: ServicePart): MailStage | null {
  const { services, log } = installation
  const { db, clock, sealer } = services
  const mailing = { db, clock, log, metrics, sealer, mail: services.mail }
  const mails = services.mail === null ? null : createMailStage(mailing)
  const mailed = Promise.all([mails?.run(ending), watchMails(mailing, ending)])
  onStop(() => mailed)
  return mails
}

function listenForWork({ installation, ending }: ServicePart, wakers: Readonly<Record<WorkKind, () => void>>): void {
  // A process of another version may announce an unknown kind of work.
  const wake = (kind: string) => (kind in wakers ? wakers[kind as WorkKind]() : undefined)
  const wakeAll = () => {
    for (const wakeStage of Object.values(wakers)) wakeStage()
  }
  installation.services.db.listen(WORK_CHANNEL, wake, wakeAll, ending)
}

function startJobs({ installation, metrics, onStop, ending }: ServicePart): void {
  const { services, log, connection, settings } = installation
  const { db } = services
  const { backups: schedule, backupPassphrase } = settings
  const sealedKey = async () => (backupPassphrase === null ? null : await sealKey(settings, backupPassphrase))
  const backups =
    schedule === null ? [] : [backupJob({ schedule, connection, sealedKey, log, metrics, signal: ending })]
  const jobs = runJobs(
    [...SCHEDULE, diskJob(settings, { log, metrics }), ...backups],
    { services, log, metrics, turnOf: (job, at) => takeJobTurn(db, job.name, job.everyMs, at) },
    ending,
  )
  onStop(() => jobs)
}
