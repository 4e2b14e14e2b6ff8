import weka.classifiers.Classifier;
import weka.classifiers.bayes.AODE;
import weka.classifiers.bayes.BayesNet;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.bayes.WAODE;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.converters.ConverterUtils.DataSource;

/** Fits classifiers of Weka 3.6 to train.arff of a folder and prints their probabilities of the rows of test.arff. */
public class Weka {
  public static void main(String[] arguments) throws Exception {
    Instances train = DataSource.read(arguments[0] + "/train.arff");
    Instances test = DataSource.read(arguments[0] + "/test.arff");
    train.setClassIndex(train.numAttributes() - 1);
    test.setClassIndex(test.numAttributes() - 1);
    BayesNet tan = new BayesNet();
    String search = "-D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES";
    tan.setOptions(Utils.splitOptions(search + " -E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.5"));
    Classifier[] classifiers = { new NaiveBayes(), tan, new AODE(), new WAODE() };
    String[] names = { "NB", "TAN", "AODE", "WAODE" };
    for (int k = 0; k < classifiers.length; k++) {
      classifiers[k].buildClassifier(train);
      for (int i = 0; i < test.numInstances(); i++) {
        StringBuilder line = new StringBuilder(names[k]);
        for (double share : classifiers[k].distributionForInstance(test.instance(i))) line.append(' ').append(share);
        System.out.println(line);
      }
    }
  }
}
