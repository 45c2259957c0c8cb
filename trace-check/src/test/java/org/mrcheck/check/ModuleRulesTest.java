package org.mrcheck.check;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Keeps the modules apart as the design draws them. */
@AnalyzeClasses(packages = "org.mrcheck", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleRulesTest {
  @ArchTest
  static final ArchRule engineNeverKnowsTheDevice =
      noClasses()
          .that()
          .resideInAPackage("org.mrcheck.check..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.mrcheck.rnic..");

  @ArchTest
  static final ArchRule onlyTheCommandLineUsesPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.mrcheck.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");

  @ArchTest
  static final ArchRule onlyTheLanguagesUseAntlr =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.mrcheck.lang..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.antlr..");

  @ArchTest
  static final ArchRule onlyTheBridgeUsesTlc =
      classes()
          .that()
          .resideOutsideOfPackage("org.mrcheck.spec..")
          .and()
          .resideInAPackage("org.mrcheck..")
          .should()
          .onlyDependOnClassesThat()
          .resideOutsideOfPackages("tlc2..", "tla2sany..");

  @ArchTest
  static final ArchRule languagesAndSpecificationStandAlone =
      noClasses()
          .that()
          .resideInAnyPackage("org.mrcheck.lang..", "org.mrcheck.spec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.mrcheck.check..", "org.mrcheck.rnic..", "org.mrcheck.cli..");

  @ArchTest
  static final ArchRule nothingDependsOnTheCommandLine =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.mrcheck.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.mrcheck.cli..");
}
