/** Texts of the live page and of the tour. */
export const live = {
  live: {
    title: 'Train a model by moving a slider',
    about:
      'This model is already trained. Every change trains it again, and the score is measured on rows it has not seen.',
    open: 'Open this sample in the studio',
    show: 'Show the live example',
    data: 'Data',
    dataAbout: 'Held-out rows with their predictions, wrong ones first.',
    dataHeads: ['row', 'true class', 'prediction', 'probability'],
    model: 'Model',
    share: 'Training rows used',
    score: 'Score',
    before: (accuracy: string, logLoss: string) => `Before the last change: accuracy ${accuracy}, log-loss ${logLoss}.`,
    unchanged: 'Move a slider to see what it changes.',
    planeReading: (n: string) =>
      `The thick line is the decision boundary. The ${n} bold points are held-out rows, ringed if they are wrong; the pale ones are training rows.`,
    words: 'Words that decide',
    wordsReading: 'The words that speak most for each class. The longer the bar, the more one occurrence counts.',
  },
  tour: {
    title: 'Tour',
    begin: 'Two-minute tour',
    at: (k: string, n: string) => `Stop ${k} of ${n}`,
    back: 'Back',
    next: 'Next',
    done: 'Done',
    end: 'End the tour',
    stops: {
      start:
        'Drop a file here, or begin with a sample. The live example below trains again whenever you move a slider.',
      data: 'This is what was read. The label and the kind of each column were detected; change them if they are wrong. Below are the rows: filter them, sort them, edit a cell.',
      train:
        'Auto compares many models and combines the best. You can name a model instead, or limit the time. The race shows what was tried.',
      evaluate:
        'The score on rows that the model has not seen. Choose a cell of the confusion matrix to list its rows; the threshold slider moves every number on this page.',
      understand:
        'What the model has learned: which words or columns tell the classes apart, how each value moves the probability, and what is counted twice.',
      boundary:
        'Two numeric columns and the line between the classes. Drag a point and the line follows; draw a rectangle to list the rows inside.',
      try: 'Type a text or fill in a row. The prediction changes as you type, and the chart shows what each part adds.',
      label:
        'Rows without a label, the most uncertain ones first. Press 1 to 9 to choose a class, u to undo. The model learns each label at once.',
      export:
        'Take the model with you: as a file for the command line and the server, as ONNX, SQL or a JavaScript module, or as a report. “Copy as …” above gives the commands that repeat what you did.',
    },
  },
};
