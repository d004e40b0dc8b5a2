export const pear = 1
