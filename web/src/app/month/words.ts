const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const words = {
  month: (month: string) => name.format(new Date(`${month}-01`)),
  formerMonth: 'Month before',
  nextMonth: 'Month after',
}
