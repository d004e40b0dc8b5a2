export type SnoozeChoice = 'hours' | 'tomorrow' | 'monday'

const HOURS = 3
const MORNING_HOUR = 9
const MONDAY = 1

/** When a snooze ends, in the time zone of the browser. */
export function snoozeEnd(choice: SnoozeChoice, now: Date): Date {
  const end = new Date(now)
  if (choice === 'hours') {
    end.setHours(end.getHours() + HOURS)
    return end
  }
  const days = choice === 'tomorrow' ? 1 : (MONDAY - now.getDay() + 7) % 7 || 7
  end.setDate(end.getDate() + days)
  end.setHours(MORNING_HOUR, 0, 0, 0)
  return end
}
