#!/usr/bin/env node
import module from 'node:module';

// Node from 22.8 on can keep compiled code between starts, which halves the time that a start takes.
module.enableCompileCache?.();
await import('../dist/lib/cli/main.js');
