export const words = {
  formerMonth: 'Month before',
  nextMonth: 'Month after',
}
