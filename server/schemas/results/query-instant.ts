import { z } from 'zod'

/** ISO-8601 in upper case: the extended form or the basic one, down to the part that is given. */
const ISO_TIME =
  /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:T(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Returns a time in the form with all its parts. Other texts are returned unchanged; a date means midnight in UTC. */
function completeTime(text: string): string {
  // An unencoded plus sign in a query arrives as a space.
  const found = ISO_TIME.exec(text.toUpperCase().replace(/ (?=\d\d(:?\d\d)?$)/, '+'))?.groups
  if (!found) return text
  const { year, month, day, hour, minute = '00', second = '00', fraction, zone = '' } = found
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return `${date}T00:00:00Z`
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return `${date}T${hour}:${minute}:${second}${fraction ? `.${fraction}` : ''}${sign ? `${sign}${hours}:${minutes}` : zone}`
}

/** A time with a time zone, or a date, which means midnight in UTC. */
export function queryInstant(description: string) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? completeTime(value) : value),
    z.iso
      .datetime({
        offset: true,
        error: ({ input }) =>
          z.iso.datetime({ local: true }).safeParse(input).success
            ? 'must have a time zone, such as Z or +02:00'
            : 'must be an ISO-8601 time such as 2026-01-31T09:30:00Z, or a date',
      })
      .meta({ description, example: '2026-01-31T09:30:00Z' }),
  )
}
