#!/usr/bin/env node
// `npm start`: both servers and the page on this machine. This file keeps to syntax that old
// versions of Node can read, so that they get as far as the sentence below.
const parts = process.versions.node.split('.').map(Number);

if (parts[0] < 20 || (parts[0] === 20 && parts[1] < 20)) {
  console.error(
    'Attune needs Node 20.20 or newer; this is Node ' +
      process.versions.node +
      '. Install a newer one from https://nodejs.org and run npm start again.',
  );
  process.exitCode = 1;
} else {
  import('./start/main.mjs')
    .then((start) => start.main(process.argv.slice(2)))
    .catch((error) => {
      console.error(error);
      // exit, not exitCode: its handler ends the servers that were already started.
      process.exit(1);
    });
}
