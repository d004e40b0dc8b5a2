import { useLocation } from 'wouter'
import type { ReviewAnalytics } from '../api/analytics.ts'
import type { Filter } from '../app/filter/filter-params.ts'
import type { Platform } from '../app/platforms.ts'
import { StrangerLink } from '../app/post/stranger.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Count } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { countryName } from '../kit/names.ts'
import { Stars } from '../kit/stars.tsx'
import styles from './analytics.module.css'
import type { ReportQuery } from './report-query.ts'
import { RATINGS, RatingCard, StarsCard } from './review-cards.tsx'
import { inboxHref, useReviews } from './use-report.ts'
import { words } from './words.ts'

export function ReviewsTab({ query }: { query: ReportQuery }) {
  const reviews = useReviews(query)
  return (
    <div className={styles.stack} data-stale={reviews.isPlaceholderData || undefined}>
      <QueryPanel query={reviews} lines={4} height={88}>
        {(answer) =>
          answer.current.reviews === 0 && (answer.previous?.reviews ?? 0) === 0 ? (
            <Empty title={words.noReviews}>{words.noReviewsHint}</Empty>
          ) : (
            <Report answer={answer} filter={query.filter} />
          )
        }
      </QueryPanel>
    </div>
  )
}

/** The API answers the largest rows alone. */
const ROWS_MAX = 50

interface ReportProps {
  answer: ReviewAnalytics
  filter: Filter
}

function Report({ answer, filter }: ReportProps) {
  const { apps, storefronts, versions, window } = answer
  const file = (name: string) => `${name}-${window.from}-${window.to}`
  const days = words.window(window.from, window.to)
  const hrefOf = (platform: Platform, review: Filter) =>
    inboxHref({ ...filter, platforms: [platform], ...review }, window)
  // Nothing filters by a fact that is missing, so that such a row is one filter only where it is all of its platform.
  const wholePlatform = (rows: readonly { platform: Platform }[], platform: Platform) =>
    rows.length < ROWS_MAX && rows.filter((row) => row.platform === platform).length === 1
      ? hrefOf(platform, { ratings: filter.ratings ?? [...RATINGS] })
      : null
  return (
    <>
      <Figures answer={answer} filter={filter} />
      <RatingCard answer={answer} filter={filter} />
      <StarsCard
        title={words.apps}
        name={words.app}
        file={file('apps')}
        days={days}
        rows={apps}
        labelOf={({ app }) => app?.id ?? words.noneOfThem}
        show={({ app }) => (app === null ? words.noneOfThem : <AppLink app={app} />)}
        hrefOf={({ platform, app }) =>
          app === null ? wholePlatform(apps, platform) : hrefOf(platform, { reviewApp: app.id })
        }
      />
      <StarsCard
        title={words.storefronts}
        name={words.storefront}
        file={file('countries')}
        days={days}
        rows={storefronts}
        labelOf={({ country }) => (country === null ? words.unknownCountry : countryName(country))}
        hrefOf={({ platform, country }) =>
          country === null ? wholePlatform(storefronts, platform) : hrefOf(platform, { reviewCountry: country })
        }
      />
      <StarsCard
        title={words.versions}
        name={words.version}
        file={file('versions')}
        days={days}
        rows={versions}
        labelOf={({ version }) => version}
        hrefOf={({ platform, appId, version }) =>
          appId === null ? null : hrefOf(platform, { reviewApp: appId, reviewVersion: version })
        }
      />
    </>
  )
}

function AppLink({ app }: { app: { id: string; url: string } }) {
  const name = <bdi>{app.id}</bdi>
  return (
    <StrangerLink address={app.url} instead={name}>
      {name}
    </StrangerLink>
  )
}

function Figures({ answer: { current, previous, change, window }, filter }: ReportProps) {
  const [, navigate] = useLocation()
  const href = inboxHref({ ...filter, ratings: filter.ratings ?? [...RATINGS] }, window)
  const meanChange = change?.mean ?? null
  return (
    <div className={styles.figures}>
      <FigureCard
        label={words.reviews}
        value={<Count value={current.reviews} />}
        href={href}
        onNavigate={navigate}
        note={previous === null ? undefined : words.before(previous.reviews)}
      />
      {current.mean !== null && (
        <FigureCard
          label={words.mean}
          value={
            <>
              {words.stars(current.mean)} <Stars rating={current.mean} />
            </>
          }
          note={meanChange === null ? undefined : words.starsMore(meanChange)}
        />
      )}
    </div>
  )
}
