import type { Source } from '../api/workspace.ts'
import { formatCount, formatPlural } from '../kit/count.tsx'
import { listAll } from '../kit/list.ts'
import { formatDuration } from '../kit/time.tsx'

export const words = {
  title: 'Sources',
  collected: 'Collected platforms',
  caption: 'Collected platforms with state, delays and use of the day',
  count: (collected: number, all: number) => `${formatCount(collected)} of ${formatPlural(all, 'platform')} collected`,
  columns: {
    platform: 'Platform',
    state: 'State',
    newest: 'Newest post',
    success: 'Last success',
    found: 'Post to mention',
    sent: 'Mention to delivery',
    use: 'Use today',
  },
  modes: { live: 'Live feed', search: 'Polled', reviews: 'Review pages' } satisfies Record<Source['mode'], string>,
  states: {
    ready: 'Collected',
    degraded: 'Failing',
    needs_configuration: 'Not set up',
    off: 'Off',
  } satisfies Record<Source['status'], string>,
  never: 'not yet',
  ago: (seconds: number) => `${formatDuration(seconds * 1000)} old`,
  notMeasured: '–',
  median: (seconds: number) => formatDuration(seconds * 1000),
  p95: (seconds: number, count: number) => `95 % within ${formatDuration(seconds * 1000)}, of ${formatCount(count)}`,
  money: (spent: string, limit: string | null) => (limit === null ? spent : `${spent} of ${limit}`),
  quota: (name: string, used: number, limit: number | null) =>
    limit === null ? `${formatCount(used)} ${name}` : `${formatCount(used)} of ${formatCount(limit)} ${name}`,
  quotaLabel: (name: string) => `Use of ${name}`,
  nothingUsed: 'nothing counted',
  silent: 'Nothing was collected for several intervals.',
  delays:
    'Both delays are of the last hour and of the mentions of this workspace: half of them took at ' +
    'most the time in the first line. The age of the newest post also grows while nobody posts.',
  guide: 'How delays are measured',

  lacking: 'Not set up',
  lackingHint:
    'The operator of the installation makes these settings in the environment and restarts the service. Keywords ' +
    'then collect from the platform by themselves.',
  lackingCount: (count: number) => formatPlural(count, 'platform'),
  price: 'Price',
  free: 'free',
  getAt: 'Get it at',
  form: (form: string) => `Value: ${form}`,
  needs: (count: number) => (count === 1 ? 'Needs a setting' : `Needs ${formatPlural(count, 'setting')}`),
  copyName: (name: string) => `the name ${name}`,
  toPlatforms: 'The guide to platforms',
  off: 'Switched off',
  offText: (names: readonly string[]) =>
    `The operator has switched off ${listAll(names)}. SOURCES_OFF and the settings of providers do that.`,
  none: 'No platform is known',
  noneHint: 'This installation was started without collecting.',
} as const
