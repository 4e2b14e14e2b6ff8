import { cellsOf, type Dataset, datasetOf } from './dataset.ts';

const applicants = `1,Yes,bachlor,C++,No
2,Yes,bachlor,Java,Yes
3,No,master,Java,Yes
4,No,master,C++,No
5,Yes,bachlor,Java,Yes
6,No,master,C++,No
7,Yes,master,Java,Yes
8,Yes,phd,C++,Yes
9,No,phd,Java,Yes
10,No,bachlor,Java,No`;

type CareersRow = { no: number; '985': string; education: string; skill: string; enrolled: 'Yes' | 'No' };

/** Ten applicants: school of the 985 programme, education, skill, and whether they were enrolled. */
export function loadCareers(): Dataset<CareersRow, 'enrolled'> {
  const card = {
    name: 'careers',
    title: 'Ten applicants, enrolled or not',
    columns: ['no', '985', 'education', 'skill', 'enrolled'],
    target: 'enrolled' as const,
    description:
      'Ten applicants. The spelling "bachlor" is original; the original code compares "c++" with "C++", so every skill falls into one class.',
    source: "a beginners' course on Gaussian naive Bayes (career_data.csv)",
    license: 'factual data from course material, free to redistribute',
  };
  return datasetOf(card, cellsOf(applicants));
}
