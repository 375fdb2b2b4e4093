import { Alert } from '@mantine/core'

/** Says of a run or a result that it does not count. */
export function DuringMaintenance() {
  return (
    <Alert variant="light" color="blue">
      A maintenance was on during this run, so its result does not count in state, incidents, statistics or uptime.
    </Alert>
  )
}
