/** The classifier of `src/affect` in Node.js. */
export { nodeClassifier as classifierInNode } from '../../../../eval/node-classifier.ts';
