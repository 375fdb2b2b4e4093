import { Alert } from '@mantine/core'

/** Says of a run or a result that it does not count. */
export function DuringMaintenance() {
  return (
    <Alert variant="light" color="blue">
      A maintenance was on during this run. Its result counts for no state, incident, statistic or uptime.
    </Alert>
  )
}
