// The only file that imports drizzle-orm, and as CommonJS. Its package.json has 179 kB, which Node parses again for each
// of its 270 ES modules and for each file that imports one: 0.7 s of CPU time at each start of a process.
module.exports = {
  ...require('drizzle-orm'),
  ...require('drizzle-orm/migrator'),
  ...require('drizzle-orm/pg-core'),
  ...require('drizzle-orm/postgres-js'),
}
