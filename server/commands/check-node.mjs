// Loaded before the program by the npm scripts; plain JavaScript, because an older Node cannot read the rest.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This needs Node 24, and runs on ${process.versions.node}: npm brings its own Node 24 (run \`npm ci\` without --ignore-scripts, then the npm scripts)`,
  )
  process.exit(1)
}
