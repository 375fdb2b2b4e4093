import type { Db } from '#db/client.ts'
import { testDatabase } from '../database.ts'
import { createProbedService, makeDue, requestRunOf, resultsOf, runsOf } from './probed.ts'

/** A test database with the functions of `probed.ts` bound to it. */
export function probedDatabase() {
  const database = testDatabase()
  const bind =
    <Rest extends unknown[], Result>(call: (db: Db, ...rest: Rest) => Result) =>
    (...rest: Rest) =>
      call(database.db, ...rest)
  return Object.assign(database, {
    createProbedService: bind(createProbedService),
    makeDue: bind(makeDue),
    requestRunOf: bind(requestRunOf),
    resultsOf: bind(resultsOf),
    runsOf: bind(runsOf),
  })
}
