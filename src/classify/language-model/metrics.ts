import { counter, type MetricsOf } from '../../kernel/metrics.ts'

export const SECOND_VERDICT_METRICS = {
  secondLooks: counter(
    'earshot_second_looks_total',
    'Mentions that deserved the language model, by what came of it: answered, cached, or why the first verdict ' +
      'stayed: no_answer, budget, busy.',
    ['outcome'],
  ),
  modelCalls: counter(
    'earshot_model_calls_total',
    'Calls to the language model for scores: answered, incomplete, useless, timeout, rate_limited, unavailable ' +
      'or refused.',
    ['outcome'],
  ),
  modelTokens: counter('earshot_model_tokens_total', 'Tokens of those calls, as far as the provider says.', [
    'direction',
  ]),
  modelDollars: counter(
    'earshot_model_cost_dollars_total',
    'Dollars that those calls cost, by the prices in the settings.',
    [],
  ),
}

export type SecondVerdictMetrics = MetricsOf<typeof SECOND_VERDICT_METRICS>
